// Browsers do not start workers for pages that are local files. In this case the search
// runs in a hidden frame.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.scope = frame.contentWindow;
      this.scope.postMessage = data => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      this.isLoaded = new Promise(done => {
        const script = frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = done;
        frame.contentDocument.body.append(script);
      });
    }
    postMessage(data) {
      this.isLoaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };

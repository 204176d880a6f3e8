"""Kalman filtering of many simulated tracks at once. Positions are measured with noise; velocities are not measured."""

import tensorc as tc

STEP = 0.1  # seconds between measurements
PUSH = 0.5  # of random accelerations, m/s^2
NOISE = 0.8  # of a measurement, m


def model():
    """Returns the transition matrix, the measurement matrix, and the covariances of the process noise and the
    measurement noise. The state is x, y and their velocities."""
    one, zero = tc.eye(2), tc.zeros((2, 2))
    move = tc.concat([tc.concat([one, STEP * one], axis=1), tc.concat([zero, one], axis=1)])
    push = tc.concat([STEP**2 / 2 * one, STEP * one])
    measure = tc.concat([one, zero], axis=1)
    return move, PUSH**2 * push @ push.T, measure, NOISE**2 * one


def simulate(key, tracks, steps):
    """Returns true states [steps, tracks, 4] and measured positions [steps, tracks, 2]."""
    start, pushes, noise = tc.random.split(key, 3)
    move, _, measure, _ = model()
    push = tc.concat([STEP**2 / 2 * tc.eye(2), STEP * tc.eye(2)])

    def advance(state, acceleration):
        state = state @ move.T + acceleration @ push.T
        return state, state

    first = tc.random.normal(start, (tracks, 4)) * 2
    _, truth = tc.scan(advance, first, tc.random.normal(pushes, (steps, tracks, 2)) * PUSH)
    return truth, truth @ measure.T + tc.random.normal(noise, (steps, tracks, 2)) * NOISE


@tc.jit
def kalman(measured):
    """Returns estimated states [steps, tracks, 4], their covariances [steps, tracks, 4, 4], and the logarithm of the
    measurements' likelihood [tracks]."""
    move, process, measure, noise = model()
    tracks = measured.shape[1]

    def step(carried, z):
        state, covariance, likelihood = carried
        state, covariance = state @ move.T, move @ covariance @ move.T + process
        seen = measure @ covariance  # [tracks, 2, 4]
        root = tc.linalg.cholesky(seen @ measure.T + noise)
        surprise = z - state @ measure.T
        gain = tc.linalg.solve(seen @ measure.T + noise, seen)  # transposed
        state = state + (surprise[:, None, :] @ gain)[:, 0]
        covariance = covariance - gain.mT @ seen
        white = tc.linalg.solve(root, surprise[..., None])[..., 0]
        volume = tc.sum(tc.log(tc.linalg.diagonal(root)), axis=-1)
        likelihood = likelihood - tc.sum(white * white, axis=-1) / 2 - volume - tc.log(2 * tc.pi)
        return (state, covariance, likelihood), (state, covariance)

    first = (tc.zeros((tracks, 4)), tc.broadcast_to(100 * tc.eye(4), (tracks, 4, 4)), tc.zeros(tracks))
    (_, _, likelihood), (states, covariances) = tc.scan(step, first, measured)
    return states, covariances, likelihood


def main(tracks=64, steps=200):
    truth, measured = simulate(tc.random.key(7), tracks, steps)
    states, covariances, likelihood = kalman(measured)
    late = slice(steps // 2, None)  # excludes the first steps, in which the velocity is unknown

    def error(positions):
        return float(tc.mean((positions[late] - truth[late, :, :2]) ** 2) ** 0.5)

    raw, filtered = error(measured), error(states[..., :2])
    print(f"error of measurements {raw:.2f} m, of the filter {filtered:.2f} m: better {filtered < raw / 2}")
    speed = float(tc.mean((states[late, :, 2:] - truth[late, :, 2:]) ** 2) ** 0.5)
    print(f"error of velocities {speed:.2f} m/s, expected {float(covariances[-1, 0, 2, 2]) ** 0.5:.2f} m/s")
    return measured, states, covariances, likelihood


if __name__ == "__main__":
    main()

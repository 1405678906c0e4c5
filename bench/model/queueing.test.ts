import { describe, expect, it } from "vitest";
import { addTimes, erlangC, percentile95, sojournTime, waitingTime } from "./queueing.ts";

describe("the queueing formulae", () => {
  it.each([
    { servers: 1, erlangs: 0.5, waits: 0.5 },
    { servers: 2, erlangs: 1, waits: 0.3333 },
    { servers: 5, erlangs: 3, waits: 0.2362 },
    { servers: 10, erlangs: 8, waits: 0.4092 },
    { servers: 100, erlangs: 90, waits: 0.2169 },
  ])(
    "give Erlang's probability of waiting for $servers servers and $erlangs erlangs",
    ({ servers, erlangs, waits }) => {
      expect(erlangC(servers, erlangs)).toBeCloseTo(waits, 4);
    },
  );

  it("agree with the limit of Halfin and Whitt for a thousand servers, whose factorials overflow", () => {
    // 1 / (1 + β Φ(β) / φ(β)) with β = 0.03 √1000.
    expect(erlangC(1000, 970)).toBeCloseTo(0.2445, 2);
  });

  it("give the known times of M/M/1, M/D/1 and M/M/2", () => {
    const station = { arrivals: 0.8, servers: 1, service: 1, variation: 1 };
    expect(sojournTime(station).mean).toBeCloseTo(5, 9);
    expect(waitingTime({ ...station, variation: 0 }).mean).toBeCloseTo(2, 9);
    expect(sojournTime({ ...station, arrivals: 1, servers: 2 }).mean).toBeCloseTo(4 / 3, 9);
  });

  it("give the variance of the time in M/M/1, which is exponential", () => {
    expect(sojournTime({ arrivals: 0.8, servers: 1, service: 1, variation: 1 }).variance).toBeCloseTo(25, 9);
  });

  it("call an overloaded station endless", () => {
    expect(sojournTime({ arrivals: 2, servers: 2, service: 1, variation: 1 }).mean).toBe(Number.POSITIVE_INFINITY);
  });

  it("give the 95th percentile of an exponential time and of the sum of two within two per cent", () => {
    const one = sojournTime({ arrivals: 0.8, servers: 1, service: 1, variation: 1 });
    expect(percentile95(one) / (5 * 2.9957)).toBeCloseTo(1, 1.7);
    expect(percentile95(addTimes([one, one])) / (5 * 4.7439)).toBeCloseTo(1, 1.7);
  });

  it.each([
    { what: "exponential", variation: 1, draw: (random: () => number) => -Math.log(1 - random()) },
    { what: "equal", variation: 0, draw: () => 1 },
  ])("agree with a simulated queue of three servers with $what services", ({ variation, draw }) => {
    const expected = sojournTime({ arrivals: 2.4, servers: 3, service: 1, variation });
    const { mean, p95 } = simulateQueue({ arrivals: 2.4, servers: 3, draw });
    expect(mean / expected.mean).toBeGreaterThan(0.95);
    expect(mean / expected.mean).toBeLessThan(1.05);
    expect(p95 / percentile95(expected)).toBeGreaterThan(0.9);
    expect(p95 / percentile95(expected)).toBeLessThan(1.1);
  });
});

/** Simulates 100,000 customers who wait in one line, with a fixed sequence of random numbers. */
function simulateQueue(queue: { arrivals: number; servers: number; draw: (random: () => number) => number }) {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const freeAt = Array<number>(queue.servers).fill(0);
  const times: number[] = [];
  for (let now = 0; times.length < 100_000;) {
    now -= Math.log(1 - random()) / queue.arrivals;
    const first = freeAt.indexOf(Math.min(...freeAt));
    const end = Math.max(now, freeAt[first]) + queue.draw(random);
    freeAt[first] = end;
    times.push(end - now);
  }
  times.sort((a, b) => a - b);
  return { mean: times.reduce((a, b) => a + b) / times.length, p95: times[Math.floor(times.length * 0.95)] };
}

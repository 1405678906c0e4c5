/**
 * Formulae of queueing theory for one station: customers arrive at random (Poisson) and wait in one queue for the first
 * free of c equal servers. Rates are per second and times in seconds. The sources are A. K. Erlang (1917) for the
 * probability of waiting, and A. O. Allen and J. Cunneen's approximation for service times that are not exponential.
 */

export interface Station {
  /** Customers in a second. */
  arrivals: number;
  servers: number;
  /** The mean time of service. */
  service: number;
  /** The squared coefficient of variation of the service time: 0 if all are equal, 1 if exponential (M/M/c). */
  variation: number;
}

/** A time as its mean and variance. */
export interface Time {
  mean: number;
  variance: number;
}

/** Returns the share of the time in which each server is busy; 1 and more if the queue grows without end. */
export const utilisation = ({ arrivals, servers, service }: Omit<Station, "variation">): number =>
  (arrivals * service) / servers;

/**
 * Returns the probability that a customer has to wait (Erlang C) at an offered load of `erlangs`. The recursion over
 * Erlang B stays exact where factorials overflow. Returns 1 if the load is not less than the servers.
 */
export function erlangC(servers: number, erlangs: number): number {
  if (erlangs <= 0) return 0;
  if (erlangs >= servers) return 1;
  let blocking = 1;
  for (let count = 1; count <= servers; count++) blocking = (erlangs * blocking) / (count + erlangs * blocking);
  return (servers * blocking) / (servers - erlangs * (1 - blocking));
}

/**
 * Returns the time of waiting in a station with any distribution of service times (M/G/c). It is exact for M/M/c and, in
 * its mean, for M/G/1; between these it is the approximation of Allen and Cunneen. Those who wait are taken to wait
 * exponentially. Infinite if the station is overloaded.
 */
export function waitingTime(station: Station): Time {
  const { arrivals, servers, service, variation } = station;
  const free = 1 - utilisation(station);
  if (free <= 0) return { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };
  const probability = erlangC(servers, arrivals * service);
  const delay = ((service / servers / free) * (1 + variation)) / 2;
  // None, or exponential with the mean `delay`, whose second moment is 2 delay².
  return { mean: probability * delay, variance: probability * (2 - probability) * delay ** 2 };
}

/** Returns the time in a station, waiting and service. */
export const sojournTime = (station: Station): Time =>
  addTimes([waitingTime(station), { mean: station.service, variance: station.variation * station.service ** 2 }]);

/** Returns the time of what happens one after another, taken as independent of each other. */
export const addTimes = (times: readonly Time[]): Time => ({
  mean: times.reduce((sum, { mean }) => sum + mean, 0),
  variance: times.reduce((sum, { variance }) => sum + variance, 0),
});

/**
 * Returns the time that 95 of 100 customers do not exceed: that of the gamma distribution with this mean and variance,
 * by the approximation of E. B. Wilson and M. M. Hilferty (1931). For an exponential time it is 1 % too small.
 */
export function percentile95({ mean, variance }: Time): number {
  if (!Number.isFinite(mean)) return Number.POSITIVE_INFINITY;
  if (variance === 0) return mean;
  const shape = mean ** 2 / variance;
  return mean * (1 - 1 / (9 * shape) + normal95 / (3 * Math.sqrt(shape))) ** 3;
}
/** The 95th percentile of the standard normal distribution. */
const normal95 = 1.6449;

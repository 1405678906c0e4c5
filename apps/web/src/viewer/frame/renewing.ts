import { FetchFault } from "./fetch-bytes.ts";

/** Addresses of files expire after minutes: an expired one is renewed, and the fetch retried once. */
export async function renewing<S, T>(source: S, renew: () => Promise<S>, bring: (source: S) => Promise<T>): Promise<T> {
  try {
    return await bring(source);
  } catch (error) {
    if (!(error instanceof FetchFault) || error.reason !== "gone") throw error;
    return bring(await renew());
  }
}

import { FetchError } from "./fetch-bytes.ts";

/** Addresses of files expire after minutes: an expired one is renewed, and the fetch retried once. */
export async function retryWithRenewedUrls<S, T>(
  source: S,
  renew: () => Promise<S>,
  load: (source: S) => Promise<T>,
): Promise<T> {
  try {
    return await load(source);
  } catch (error) {
    if (!(error instanceof FetchError) || error.reason !== "gone") throw error;
    return load(await renew());
  }
}

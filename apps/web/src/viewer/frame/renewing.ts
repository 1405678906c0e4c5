import { FetchFault } from "./fetch-bytes.ts";

/** Addresses of files live for minutes: where one has expired, it is asked for anew and tried once more. */
export async function renewing<S, T>(source: S, renew: () => Promise<S>, bring: (source: S) => Promise<T>): Promise<T> {
  try {
    return await bring(source);
  } catch (error) {
    if (!(error instanceof FetchFault) || error.reason !== "gone") throw error;
    return bring(await renew());
  }
}

import type { ReactNode } from "react";
import { ErrorState, LoadingState, NotAllowedState, NotFoundState, OfflineState } from "./states.tsx";

/** As useCall gives it. */
interface Query<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  /** paused: the browser is offline, and the call is sent as soon as it is not. */
  fetchStatus?: "fetching" | "paused" | "idle";
  refetch: () => unknown;
}
interface AnswerProps<T> {
  of: Query<T>;
  children: (data: T) => ReactNode;
  /** Shown when `isEmpty` says so. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  waiting?: ReactNode;
}

/**
 * What a call answered, or in its place: waiting, empty, refused, failed. An answer that is there stays while it is
 * refreshed, and where that fails; not where the record itself has gone meanwhile.
 */
export function Answer<T>({ of, children, empty, isEmpty = isEmptyList, waiting = <LoadingState /> }: AnswerProps<T>) {
  if (of.error?.name === "notFound") return <NotFoundState />;
  if (of.error?.name === "notAllowed") return <NotAllowedState />;
  if (of.data !== undefined) return empty !== undefined && isEmpty(of.data) ? empty : children(of.data);
  if (of.isPending && of.fetchStatus === "paused") return <OfflineState />;
  if (of.isPending) return waiting;
  return <ErrorState retry={() => void of.refetch()} />;
}

const isEmptyList = (data: unknown): boolean => Array.isArray(data) && data.length === 0;

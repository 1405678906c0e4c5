import type { ReactNode } from "react";
import { ErrorState, LoadingState, NotAllowedState, NotFoundState, OfflineState } from "./page-states.tsx";

/** The result of useCall. */
export interface Query<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  /** paused: the browser is offline, and the call is sent once it is online. */
  fetchStatus?: "fetching" | "paused" | "idle";
  refetch: () => unknown;
}
interface AnswerProps<T> {
  of: Query<T>;
  children: (data: T) => ReactNode;
  /** Shown if `isEmpty` returns true. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  loading?: ReactNode;
}

/**
 * Shows the answer of a call, or in its place the state: waiting, empty, rejected, failed. An existing answer stays
 * visible during a refresh, and if the refresh fails. It does not stay if the record no longer exists.
 */
export function QueryResult<T>({
  of,
  children,
  empty,
  isEmpty = isEmptyList,
  loading = <LoadingState />,
}: AnswerProps<T>) {
  if (of.error?.name === "notFound") return <NotFoundState />;
  if (of.error?.name === "notAllowed") return <NotAllowedState />;
  if (of.data !== undefined) return empty !== undefined && isEmpty(of.data) ? empty : children(of.data);
  if (of.isPending && of.fetchStatus === "paused") return <OfflineState />;
  if (of.isPending) return loading;
  return <ErrorState retry={() => void of.refetch()} />;
}

const isEmptyList = (data: unknown): boolean => Array.isArray(data) && data.length === 0;

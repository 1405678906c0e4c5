import type { ReactElement } from "react";
import { expect, it } from "vitest";
import { QueryResult } from "./query-result.tsx";
import { OfflineState } from "./page-states.tsx";

const query = { data: undefined as string[] | undefined, error: null, isPending: true, refetch: () => {} };
const shown = (of: typeof query & { fetchStatus: "fetching" | "paused" }) =>
  QueryResult({ of, loading: "waiting", children: (list) => list.join() });

it("shows that the network is unavailable instead of waiting forever", () => {
  expect((shown({ ...query, fetchStatus: "paused" }) as ReactElement).type).toBe(OfflineState);
  expect(shown({ ...query, fetchStatus: "fetching" })).toBe("waiting");
});

it("keeps a loaded list while the network is unavailable", () => {
  expect(shown({ ...query, data: ["a", "b"], isPending: false, fetchStatus: "paused" })).toBe("a,b");
});

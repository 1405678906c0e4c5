import { useDebouncedValue } from "@mantine/hooks";
import { useEffect } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { searchCalls } from "@arcada/contract/search/search.calls";
import { queryClient, queryKeyOf } from "../../data/query-client.ts";
import { useCall } from "../../data/use-call.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";

const pauseMs = 120;

interface RecordSearch {
  /** The answer to an earlier text until that to this text arrives. */
  found: Output<typeof searchCalls.find> | undefined;
  /** The answer to this text is still to come. */
  isPending: boolean;
  hasFailed: boolean;
}

/** Finds records for a text once typing pauses. An answer to an earlier text never replaces that to a later one. */
export function useRecordSearch(typed: string): RecordSearch {
  const mayAsk = useCanAccess(searchCalls.find);
  const text = typed.trim();
  const [paused] = useDebouncedValue(text, pauseMs);
  // The records that were opened lately are shown at once.
  const asked = text === "" ? text : paused;
  const { data, isPlaceholderData, isError } = useCall(
    searchCalls.find,
    { text: asked },
    { enabled: mayAsk, keepPrevious: true },
  );
  useEffect(() => forgetResults, []);
  return {
    found: data,
    isPending: mayAsk && (asked !== text || (!isError && (data === undefined || isPlaceholderData))),
    hasFailed: isError,
  };
}

/** Names of patients stay in memory no longer than they are shown, and the next search sees what was opened since. */
const forgetResults = (): void => queryClient.removeQueries({ queryKey: queryKeyOf(searchCalls.find).slice(0, 1) });

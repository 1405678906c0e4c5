import { useEffect, useRef, useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.calls";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";
import { ask } from "../kernel/ask.ts";
import { changed } from "../kernel/changes.ts";
import { RefusedAnswer } from "../kernel/refused.ts";
import { show } from "../kernel/show.ts";
import { uniqueKey } from "../kernel/unique.ts";
import { sendFile } from "./send-file.ts";

/** A file that this page is uploading. */
export interface Going {
  key: string;
  role: WorkorderFileRole;
  file: File;
  /** The id of its row on the server, once known. */
  id: string | null;
  share: number;
  isBroken: boolean;
}

/** The uploads of files to an order: start, resume after an interruption, cancel. Leaving the page interrupts them. */
export function useSending({ id: order, files }: Pick<Workorder, "id" | "files">) {
  const [going, setGoing] = useState<Going[]>([]);
  const stops = useRef(new Map<string, AbortController>());
  const change = (key: string, more: Partial<Going>) =>
    setGoing((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const drop = (key: string) => {
    stops.current.delete(key);
    setGoing((all) => all.filter((one) => one.key !== key));
  };
  useEffect(() => {
    const all = stops.current;
    return () => all.forEach((stop) => stop.abort());
  }, []);

  const run = async (one: Going) => {
    const { key, role, file } = one;
    const stop = new AbortController();
    stops.current.set(key, stop);
    change(key, { isBroken: false });
    const known = files.find(knownAs(one));
    try {
      await sendFile({
        order,
        role,
        file,
        known,
        signal: stop.signal,
        announced: (made) => change(key, { id: made }),
        progress: (share) => change(key, { share }),
      });
      changed(workorderCalls.addFile);
      drop(key);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof RefusedAnswer)) return change(key, { isBroken: true });
      show(error);
      changed(workorderCalls.addFile);
      drop(key);
    }
  };
  const add = async (role: WorkorderFileRole, chosen: readonly File[]) => {
    const made = chosen.map((file): Going => ({ key: uniqueKey(), role, file, id: null, share: 0, isBroken: false }));
    setGoing((all) => [...all, ...made]);
    // One after the other, because a phone's connection is too slow for ten at once.
    for (const one of made) await run(one);
  };
  const cancel = async (one: Going) => {
    stops.current.get(one.key)?.abort();
    drop(one.key);
    if (!one.id) return;
    await ask(workorderCalls.removeFile, { id: order, fileId: one.id }).catch(() => undefined);
    changed(workorderCalls.removeFile);
  };
  useOnline(async () => {
    for (const one of going.filter(({ isBroken }) => isBroken)) await run(one);
  });
  return { going, add, cancel, goOn: (one: Going) => void run(one) };
}

/** Finds a file's row: by its id, else one that expects the same bytes. */
const knownAs =
  ({ id, role, file }: Going) =>
  (one: Workorder["files"][number]): boolean =>
    id
      ? one.id === id
      : !one.isHere && one.mayRemove && one.name === file.name && one.bytes === file.size && one.role === role;

/** Resumes automatically when the device is online again. */
function useOnline(goOn: () => Promise<void>): void {
  useEffect(() => {
    const heard = () => void goOn();
    addEventListener("online", heard);
    return () => removeEventListener("online", heard);
  });
}

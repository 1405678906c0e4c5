import { useEffect, useRef, useState } from "react";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import { send as askQuietly } from "../kernel/ask.ts";
import { sendPieces } from "../kernel/send-pieces.ts";
import { show } from "../kernel/show.ts";

/** Uploads a package, resuming an earlier attempt with the same file. */
export function usePackageSending(arrivals: readonly PackageArrival[], arrived: (id: string) => void) {
  const [share, setShare] = useState<number | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const send = async (file: File) => {
    stopper.current = new AbortController();
    setShare(0);
    try {
      const earlier = arrivals.find(({ fileName, bytes }) => fileName === file.name && bytes === file.size);
      const { id, offset } =
        earlier ?? (await askQuietly(upgradeCalls.begin, { fileName: file.name, bytes: file.size }));
      const { signal } = stopper.current;
      const { pieceBytes } = upgradeRules;
      await sendPieces(file, { path: `/packages/${id}`, offset, pieceBytes, progress: setShare, signal });
      arrived(id);
    } catch (error) {
      show(error);
      setShare(null);
    }
  };
  return { share, send };
}

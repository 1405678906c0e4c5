import { useEffect, useRef, useState } from "react";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import { send as askQuietly } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";
import { showError } from "../data/show-error.ts";

/** Uploads a package, resuming an earlier attempt with the same file. */
export function usePackageUpload(uploads: readonly PackageArrival[], onUploaded: (id: string) => void) {
  const [share, setShare] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (file: File) => {
    controller.current = new AbortController();
    setShare(0);
    try {
      const earlier = uploads.find(({ fileName, bytes }) => fileName === file.name && bytes === file.size);
      const { id, offset } =
        earlier ?? (await askQuietly(upgradeCalls.begin, { fileName: file.name, bytes: file.size }));
      const { signal } = controller.current;
      const { chunkBytes: pieceBytes } = upgradeRules;
      await uploadInParts(file, { path: `/packages/${id}`, offset, pieceBytes, progress: setShare, signal });
      onUploaded(id);
    } catch (error) {
      showError(error);
      setShare(null);
    }
  };
  return { share, send };
}

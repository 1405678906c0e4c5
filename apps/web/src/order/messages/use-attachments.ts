import { use, useEffect, useState } from "react";
import { messageRules } from "@arcada/contract/order/messages.rules";
import { useStore } from "../../browser/external-store.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { UploadQueue } from "../../ui/upload/upload-queue.ts";
import { UploadSessionContext } from "../../ui/upload/upload-authentication.ts";
import type { AttachedFile } from "../core/attached-files.tsx";

export interface Attachments {
  queue: UploadQueue;
  files: readonly AttachedFile[];
  isBusy: boolean;
  add: (chosen: readonly File[]) => void;
  replace: (files: AttachedFile[]) => void;
}

/** Manages the files that are being attached to a message. */
export function useAttachments(): Attachments {
  const t = useTexts("order", "refusals", "orderDetail");
  const session = use(UploadSessionContext);
  const [queue] = useState(() => new UploadQueue(session));
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  useEffect(() => {
    queue.setHandlers({
      onArrived: ({ id, name }) => setFiles((now) => [...now, { upload: id, name, role: "document" }]),
      onIdle: () => queue.removeDone(),
    });
    return () => queue.detach();
  }, [queue]);
  const sending = useStore(queue.files);
  return {
    queue,
    files,
    isBusy: sending.some(({ state }) => state !== "refused" && state !== "done"),
    add: (chosen) => {
      const fitting = chosen.filter(({ size }) => size <= messageRules.fileMegabytes * 1e6);
      if (fitting.length < chosen.length) toast("error", t("refusals.messageFileTooLarge"));
      const remaining = messageRules.maxFiles - files.length - sending.length;
      if (fitting.length > remaining)
        toast("error", t("orderDetail.message.filesMost", { count: messageRules.maxFiles }));
      queue.add(fitting.slice(0, Math.max(0, remaining)));
    },
    replace: setFiles,
  };
}

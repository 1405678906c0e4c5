import { useRef, useState } from "react";
import { mayBeCase } from "../case-import/dropped-case-reader.ts";
import { useUploadQueue } from "../../ui/upload/file-drop.tsx";
import { getFileKey } from "../../ui/upload/upload-queue.ts";
import type { UploadQueue } from "../../ui/upload/upload-queue.ts";
import type { FormSectionProps } from "./form-section-props.ts";
import { guessRole } from "./order-draft.ts";
import type { Draft, FileRole } from "./order-draft.ts";

export interface NewFile {
  path: string;
  file: File;
  role: FileRole;
}

/** The files that are added to an order, and the dropped case that a person has to check first. */
export interface OrderFiles {
  queue: UploadQueue;
  /** Adds files; those that may be a case are read first. */
  choose: (files: File[]) => void;
  /** Adds files with their roles, or by their names. */
  add: (files: readonly NewFile[]) => void;
  addPlain: (files: File[]) => void;
  /** The dropped files that may be a case; null for none. */
  dropped: File[] | null;
  setDropped: (files: File[] | null) => void;
}

export function useOrderFiles(
  draft: Draft,
  change: FormSectionProps["change"],
  onBusy: (busy: boolean) => void,
): OrderFiles {
  const roles = useRef(new Map<string, FileRole>());
  const [dropped, setDropped] = useState<File[] | null>(null);
  const queue = useUploadQueue((files) => {
    const added = files.map(({ id, name, key }) => ({
      upload: id,
      name,
      role: roles.current.get(key) ?? guessRole(name),
    }));
    change({ uploads: [...draft.uploads, ...added] });
  }, onBusy);
  const addPlain = (files: File[]) => void queue.add(files);
  return {
    queue,
    dropped,
    setDropped,
    addPlain,
    choose: (files) => (mayBeCase(files) ? setDropped(files) : addPlain(files)),
    add: (files) => {
      // Files of an archive have no path of their own, and two folders may have files of one name.
      const keys = new Map(files.map(({ path, file }) => [file, `${path} ${getFileKey(file)}`]));
      for (const { file, role } of files) roles.current.set(keys.get(file)!, role);
      queue.add(
        files.map(({ file }) => file),
        (file) => keys.get(file) ?? getFileKey(file),
      );
    },
  };
}

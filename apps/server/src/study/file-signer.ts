import { createFileUrl } from "../platform/storage/file-url.ts";
import { secret } from "../platform/runtime/services.ts";
import type { SignFile } from "./study.view.ts";

export const createFileSigner = (): SignFile => {
  const key = secret();
  return (file) => createFileUrl(key, file);
};

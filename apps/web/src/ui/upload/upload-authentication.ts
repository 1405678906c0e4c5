import { createContext } from "react";

/** Identifies the sender of uploads. The application provides it once for every page. */
export interface UploadSession {
  headers: () => Record<string, string>;
  answered: (freshToken: string | undefined, sentToken: string | undefined) => void;
  /** Called when the server reports that the session has ended. */
  ended: () => void;
}
export const UploadSessionContext = createContext<UploadSession>({
  headers: () => ({}),
  answered: () => {},
  ended: () => {},
});

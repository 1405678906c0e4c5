import type { CheckState, InstallationCheck } from "@arcada/contract/operator/installation.calls";
import type { Config } from "../platform/runtime/config.ts";

export interface InstallationState {
  name: InstallationCheck;
  state: CheckState;
}

/** Compares the configuration with what an installation needs before real people use it. */
export function checkInstallation(config: Config): InstallationState[] {
  const done = (isDone: boolean): CheckState => (isDone ? "done" : "missing");
  const { PUBLIC_URL, SMTP_URL, SECRET_KEY, ARCADA_DEMO } = config;
  const states: Record<InstallationCheck, CheckState> = {
    demo: done(!ARCADA_DEMO),
    publicUrl: done(PUBLIC_URL !== undefined),
    https: done(PUBLIC_URL?.startsWith("https:") === true),
    mail: done(SMTP_URL !== undefined),
    // A key that the server made lies beside the data, so a copy of the folder contains both.
    secretKey: done(SECRET_KEY !== undefined),
    // Arcada makes no backups itself and cannot see those of other programs.
    backup: "unknown",
  };
  return Object.entries(states).map(([name, state]) => ({ name: name as InstallationCheck, state }));
}

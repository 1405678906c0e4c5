import "./ui/mantine-base.css";
import "./frame.css";
import { MantineProvider } from "@mantine/core";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useLook } from "./kernel/look.ts";
import { Toasts } from "./shell/toasts.tsx";
import { themeOf, themeVariables } from "./theme.ts";

/** What every page stands in: colours and messages. */
export function Frame({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { colour, dark } = useLook();
  const theme = useMemo(() => themeOf(colour), [colour]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      forceColorScheme={dark ? "dark" : "light"}
      getStyleNonce={() => nonce}
    >
      {children}
      <Toasts />
    </MantineProvider>
  );
}

import "./mantine-base.css";
import "./frame.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useLook } from "./kernel/look.ts";
import { queryClient } from "./kernel/queries.ts";
import { Toasts } from "./shell/toasts.tsx";
import { themeOf, themeVariables } from "./theme.ts";

/** What every page stands in: colours, cached answers, messages. */
export function Frame({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { colour, dark } = useLook();
  const theme = useMemo(() => themeOf(colour), [colour]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={themeVariables} forceColorScheme={dark ? "dark" : "light"} getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}

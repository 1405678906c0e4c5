import "./ui/mantine-base.css";
import "./frame.css";
import { DirectionContext, MantineProvider } from "@mantine/core";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { scaleOf, useLook } from "./kernel/look.ts";
import { directionOf, useLanguage } from "./kernel/texts.ts";
import { Toasts } from "./shell/toasts.tsx";
import { themeOf, themeVariables } from "./theme.ts";

/** The frame of every page: colours, text direction and messages. */
export function Frame({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { colour, dark, size } = useLook();
  const theme = useMemo(() => themeOf(colour, scaleOf[size]), [colour, size]);
  const dir = directionOf(useLanguage());
  const direction = useMemo(() => ({ dir, toggleDirection: ignore, setDirection: ignore }), [dir]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      forceColorScheme={dark ? "dark" : "light"}
      getStyleNonce={() => nonce}
    >
      <DirectionContext value={direction}>
        {children}
        <Toasts />
      </DirectionContext>
    </MantineProvider>
  );
}

// The language alone determines the direction.
const ignore = (): void => {};

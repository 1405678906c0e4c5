import "../ui/mantine-base.css";
import "./global.css";
import { DirectionContext, MantineProvider } from "@mantine/core";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { sizeScales, useAppearance } from "../browser/appearance.ts";
import { getDirection, useLanguage } from "../i18n/texts.ts";
import { Toasts } from "../shell/toasts.tsx";
import { createAppTheme, themeVariables } from "./theme.ts";

/** The frame of every page: colours, text direction and messages. */
export function AppProviders({ nonce, children }: { nonce: string; children: ReactNode }) {
  const { colour, dark, size } = useAppearance();
  const theme = useMemo(() => createAppTheme(colour, sizeScales[size]), [colour, size]);
  const dir = getDirection(useLanguage());
  const direction = useMemo(() => ({ dir, toggleDirection: noop, setDirection: noop }), [dir]);
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
const noop = (): void => {};

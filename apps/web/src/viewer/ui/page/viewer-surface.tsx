import { MantineProvider, useMantineTheme } from "@mantine/core";
import { createContext, useRef, type ReactNode, type RefObject } from "react";
import styles from "./viewer-surface.module.css";

/** The scope of keys and wheel: the whole page, or only the surface while it has the focus. */
export const ViewerSurfaceContext = createContext<{ root: RefObject<HTMLElement | null>; isWholePage: boolean }>({
  root: { current: null },
  isWholePage: true,
});

/** The dark surface on which images are viewed, whatever the theme of the page around it. */
export function ViewerSurface({
  children,
  label,
  isWholePage = false,
}: {
  children: ReactNode;
  label: string;
  isWholePage?: boolean;
}) {
  const theme = useMantineTheme();
  const root = useRef<HTMLElement>(null);
  return (
    <section ref={root} className={styles.surface} aria-label={label} data-mantine-color-scheme="dark">
      <MantineProvider
        theme={theme}
        forceColorScheme="dark"
        cssVariablesSelector={`.${styles.surface}`}
        deduplicateCssVariables={false}
        getRootElement={() => root.current ?? undefined}
        getStyleNonce={readStyleNonce}
        withGlobalClasses={false}
      >
        <ViewerSurfaceContext value={{ root, isWholePage }}>{children}</ViewerSurfaceContext>
      </MantineProvider>
    </section>
  );
}

const readStyleNonce = (): string => document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";

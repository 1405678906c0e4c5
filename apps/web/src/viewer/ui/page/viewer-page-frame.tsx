import { ActionIcon, Anchor, Text } from "@mantine/core";
import { IconArrowLeft, IconArrowsMaximize, IconArrowsMinimize, IconMaximize } from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { use, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ScreenName } from "@arcada/contract/screens";
import { FullWindow, useFullWindow, type FullWindowMode } from "../../../browser/full-window.ts";
import { ScreenLink, type SearchParams } from "../../../browser/navigation.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { HoverTooltip } from "../../../ui/overlays/hover-tooltip.tsx";
import { PageHelpSlot } from "../../../ui/page-help-slot.ts";
import { isReservedKey, useShortcuts } from "../input/shortcuts.ts";
import { ViewerHeading } from "./viewer-heading-context.ts";
import styles from "./viewer-page-frame.module.css";
import { ViewerSurface } from "./viewer-surface.tsx";

interface ViewerPageFrameProps {
  back: ReactNode;
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The dark frame of a viewer's page: as high as the window allows, with the title of its content above. */
export function ViewerPageFrame({ back, title, text, actions, children }: ViewerPageFrameProps) {
  const t = useTexts("viewer");
  const container = useRef<HTMLDivElement>(null);
  const fullWindow = useFullWindow();
  const help = use(PageHelpSlot);
  const height = useRemainingHeight(container, fullWindow?.isFull ?? false);
  const heading = useMemo(() => ({ title, text: text ?? "" }), [title, text]);
  return (
    <div ref={container} className={styles.room} data-full={fullWindow?.isFull || undefined} style={{ height }}>
      <ViewerSurface label={t("viewer.title")} isWholePage>
        <header className={styles.head}>
          {back}
          <div className={styles.what}>
            <Text component="h1" size="sm" fw={600} truncate>
              {title}
            </Text>
            {text && (
              <Text size="xs" c="dimmed" truncate>
                {text}
              </Text>
            )}
          </div>
          {actions}
          {help}
          {fullWindow && <FullWindowButton mode={fullWindow} />}
          <ViewerHeaderButton
            label={t("viewer.fullScreen")}
            icon={IconMaximize}
            isForWideScreens={fullWindow !== null}
            onPress={() => void toggleFullScreen(container.current)}
          />
        </header>
        <FullWindow value={null}>
          <ViewerHeading value={heading}>{children}</ViewerHeading>
        </FullWindow>
      </ViewerSurface>
    </div>
  );
}

/** Shows or covers the shell around the viewer. Escape uncovers it if nothing in the viewer takes the key. */
function FullWindowButton({ mode: { isFull, change } }: { mode: FullWindowMode }) {
  const t = useTexts("viewer");
  useShortcuts({ "Shift+F": () => change(!isFull) });
  useEffect(() => {
    if (!isFull) return;
    // Escape closes an open menu or panel first. Its own handler has closed it before the event arrives at the window.
    let isTaken = false;
    const look = () => void (isTaken = document.querySelector("[role=menu], [role=dialog], [role=listbox]") !== null);
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isTaken && !isReservedKey(event)) change(false);
    };
    addEventListener("keydown", look, { capture: true });
    addEventListener("keydown", leave);
    return () => {
      removeEventListener("keydown", look, { capture: true });
      removeEventListener("keydown", leave);
    };
  }, [isFull, change]);
  return (
    <ViewerHeaderButton
      label={isFull ? t("viewer.leaveFullWindow", { key: "Esc" }) : t("viewer.fullWindow", { key: "Shift+F" })}
      icon={isFull ? IconArrowsMinimize : IconArrowsMaximize}
      onPress={() => change(!isFull)}
    />
  );
}

interface ViewerHeaderButtonProps {
  label: string;
  icon: Icon;
  onPress: () => void;
  /** True to leave the space on a telephone to the title. */
  isForWideScreens?: boolean;
}

export function ViewerHeaderButton({ label, icon: Sign, onPress, isForWideScreens = false }: ViewerHeaderButtonProps) {
  return (
    <HoverTooltip label={label}>
      <ActionIcon
        size={36}
        variant="subtle"
        color="gray"
        aria-label={label}
        onClick={onPress}
        {...(isForWideScreens && { visibleFrom: "xs" })}
      >
        <Sign size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </HoverTooltip>
  );
}

interface BackProps {
  screen: ScreenName;
  search: SearchParams;
  label: string;
}

export const ViewerBackLink = ({ screen, search, label }: BackProps) => (
  <Anchor
    component={ScreenLink}
    screen={screen}
    search={search}
    className={styles.back}
    aria-label={label}
    title={label}
  >
    <IconArrowLeft size={20} stroke={1.6} aria-hidden />
  </Anchor>
);

/** The remaining height of the window below everything above the viewer. */
function useRemainingHeight(container: RefObject<HTMLDivElement | null>, isFull: boolean): string | undefined {
  const [height, setHeight] = useState<string>();
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = () => {
      const above = element.getBoundingClientRect().top + window.scrollY;
      const below = parseFloat(getComputedStyle(element.parentElement ?? element).paddingBottom) || 0;
      setHeight(`max(420px, calc(100dvh - ${Math.round(above + below)}px))`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [container, isFull]);
  return height;
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element?.requestFullscreen?.();
}

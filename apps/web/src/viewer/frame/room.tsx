import { ActionIcon, Anchor, Text, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconMaximize } from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink, type Search } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { RoomWords } from "./room-words.ts";
import styles from "./room.module.css";
import { Surface } from "./surface.tsx";

interface RoomProps {
  back: ReactNode;
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The dark frame of a viewer's page: as high as the window allows, with the title of its content above. */
export function ViewerRoom({ back, title, text, actions, children }: RoomProps) {
  const t = useTexts("viewer");
  const room = useRef<HTMLDivElement>(null);
  const height = useRestOfPage(room);
  const words = useMemo(() => ({ title, text: text ?? "" }), [title, text]);
  return (
    <div ref={room} className={styles.room} style={{ height }}>
      <Surface label={t("viewer.title")} isWholePage>
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
          <RoomButton
            label={t("viewer.fullScreen")}
            icon={IconMaximize}
            onPress={() => void toggleFullScreen(room.current)}
          />
        </header>
        <RoomWords value={words}>{children}</RoomWords>
      </Surface>
    </div>
  );
}

export function RoomButton({ label, icon: Sign, onPress }: { label: string; icon: Icon; onPress: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onPress}>
        <Sign size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface BackProps {
  screen: ScreenName;
  search: Search;
  label: string;
}

export const RoomBack = ({ screen, search, label }: BackProps) => (
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
function useRestOfPage(room: RefObject<HTMLDivElement | null>): string | undefined {
  const [height, setHeight] = useState<string>();
  useLayoutEffect(() => {
    const element = room.current;
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
  }, [room]);
  return height;
}

async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await element?.requestFullscreen?.();
}

import { ActionIcon, Anchor, Drawer, Table, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowLeft, IconInfoCircle, IconMaximize } from "@tabler/icons-react";
import type { Icon as TablerIcon } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { studyCalls, type Study } from "@arcada/contract/study/study.calls";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { showTime } from "../kernel/format.ts";
import { ScreenLink, useSearch, useSetSearch } from "../kernel/link.tsx";
import { useMay } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { EmptyState } from "../ui/states.tsx";
import { Surface } from "./frame/surface.tsx";
import styles from "./study-page.module.css";
import { StudyViewer } from "./study-viewer.tsx";

/** The page of a study's viewers: `study` in the address, and what of it is shown as `item` or `series`. */
export function StudyPage({ preferVolume }: { preferVolume: boolean }) {
  const t = useTexts("viewer", "study");
  const { study: id } = useSearch();
  if (!id) return <EmptyState title={t("viewer.noStudy")} />;
  return <NamedStudy id={id} preferVolume={preferVolume} />;
}

function NamedStudy({ id, preferVolume }: { id: string; preferVolume: boolean }) {
  const query = useCall(studyCalls.detail, { id });
  const { item, series } = useSearch();
  const setSearch = useSetSearch();
  return (
    <Answer of={query}>
      {(study) => (
        <StudyRoom study={study}>
          <StudyViewer
            key={study.id}
            study={study}
            named={item ?? series}
            preferVolume={preferVolume}
            onChoose={(chosen) => setSearch({ item: chosen })}
            renew={async () => (await query.refetch()).data ?? null}
          />
        </StudyRoom>
      )}
    </Answer>
  );
}

function StudyRoom({ study, children }: { study: Study; children: ReactNode }) {
  const t = useTexts("viewer", "study");
  const room = useRef<HTMLDivElement>(null);
  const [isOpen, header] = useDisclosure(false);
  const height = useRestOfPage(room);
  return (
    <div ref={room} className={styles.room} style={{ height }}>
      <Surface label={t("viewer.title")} isWholePage>
        <header className={styles.head}>
          <BackLink study={study} />
          <div className={styles.what}>
            <Text component="h1" size="sm" fw={600} truncate>
              {study.patientName} · {t(`viewer.studyKind.${study.kind}`)}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {[study.takenAt ? showTime(study.takenAt) : t("viewer.undated"), study.description]
                .filter(Boolean)
                .join(" · ")}
            </Text>
          </div>
          <HeadButton label={t("viewer.header.title")} icon={IconInfoCircle} onPress={header.open} />
          <HeadButton
            label={t("viewer.fullScreen")}
            icon={IconMaximize}
            onPress={() => void toggleFullScreen(room.current)}
          />
        </header>
        {children}
        <Drawer
          opened={isOpen}
          onClose={header.close}
          position="right"
          title={t("viewer.header.title")}
          closeButtonProps={{ "aria-label": t("viewer.header.close") }}
        >
          <HeaderTable study={study} />
        </Drawer>
      </Surface>
    </div>
  );
}

function HeadButton({ label, icon: Icon, onPress }: { label: string; icon: TablerIcon; onPress: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onPress}>
        <Icon size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function HeaderTable({ study }: { study: Study }) {
  const t = useTexts("viewer");
  if (study.header.length === 0) return <Text size="sm">{t("viewer.header.empty")}</Text>;
  return (
    <Table verticalSpacing={4} fz="sm">
      <Table.Tbody>
        {study.header.map(({ key, value }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row">{t(`viewer.header.${key}`, { defaultValue: key })}</Table.Th>
            <Table.Td className={styles.value}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** To where the study was opened from: an order, the patient, or the inbox. */
function BackLink({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { order } = useSearch();
  const isClinic = useMay({ access: clinicRoles });
  const to = order
    ? ({ screen: "orderDetail", search: { id: order }, label: t("viewer.backToOrder") } as const)
    : isClinic && study.patientId !== null
      ? ({ screen: "patientDetail", search: { id: study.patientId }, label: t("viewer.backToPatient") } as const)
      : isClinic
        ? ({ screen: "inbox", search: {}, label: t("viewer.backToInbox") } as const)
        : ({ screen: "orderList", search: {}, label: t("viewer.backToOrders") } as const);
  return (
    <Anchor
      component={ScreenLink}
      screen={to.screen}
      search={to.search}
      className={styles.back}
      aria-label={to.label}
      title={to.label}
    >
      <IconArrowLeft size={20} stroke={1.6} aria-hidden />
    </Anchor>
  );
}

/** The height that the window has left for the room, whatever stands above it. */
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

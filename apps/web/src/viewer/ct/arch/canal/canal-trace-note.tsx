import { Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { Arch } from "../use-arch.ts";
import type { Canal } from "../implant-plan/implant-plan.ts";
import { CanalSearch } from "./canal-search.tsx";
import { cutAtHidden, readStretches, type StretchKind } from "./hidden-stretches.ts";
import { isTraced } from "./traced-canal.ts";

/** The source of a canal's path, the lengths of it that are not seen or not certain, and the search for it. */
export function CanalTraceNote({ arch: { canalTracing }, canal }: { arch: Arch; canal: Canal }) {
  const t = useTexts("viewer");
  const { annotation } = canal;
  const { running, failure, asked, trace, ask, showInPanel } = canalTracing;
  const own = useRef<HTMLDivElement>(null);
  const isBusy = [running?.id, failure?.id, asked].includes(annotation.id);
  useEffect(() => (isBusy ? showInPanel() : undefined), [isBusy, showInPanel]);
  const [hidden, doubtful] = [measureStretches(canal, "hidden"), measureStretches(canal, "doubtful")];
  return (
    // The pressed buttons go away: the focus stays here, so that Escape still closes the panel around them.
    <Stack ref={own} gap={4} tabIndex={-1} style={{ outline: "none" }}>
      <div role="status">{isBusy && <CanalSearch tracing={canalTracing} />}</div>
      {!isBusy && hidden > 0 && <Warning text={t("viewer.arch.canal.hidden", { length: formatNumber(hidden, 1) })} />}
      {!isBusy && doubtful > 0 && (
        <>
          <Warning text={t("viewer.arch.canal.doubtful", { length: formatNumber(doubtful, 1) })} />
          <Group>
            <Button size="compact-xs" variant="light" onClick={() => ask(annotation)}>
              {t("viewer.arch.canal.clickAgain")}
            </Button>
          </Group>
        </>
      )}
      {!isBusy && !isTraced(annotation) && (
        <Group>
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              own.current?.focus();
              trace(annotation);
            }}
          >
            {t("viewer.arch.canal.find")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <Group gap={6} wrap="nowrap" align="start">
      <IconAlertTriangle
        size={16}
        stroke={1.6}
        color="var(--mantine-color-orange-4)"
        style={{ flex: "none" }}
        aria-hidden
      />
      <Text size="xs">{text}</Text>
    </Group>
  );
}

/** mm of a canal that are of a kind. */
const measureStretches = ({ annotation, points, tube }: Canal, kind: StretchKind): number =>
  cutAtHidden(tube.line, points, readStretches(annotation, kind))
    .filter(({ isSeen }) => !isSeen)
    .reduce((sum, { line }) => sum + line.length, 0);

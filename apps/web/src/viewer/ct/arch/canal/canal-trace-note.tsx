import { Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { Arch } from "../use-arch.ts";
import type { Canal } from "../implant-plan/implant-plan.ts";
import { CanalSearch } from "./canal-search.tsx";
import { cutAtHidden, readHidden } from "./hidden-stretches.ts";
import { isTraced } from "./traced-canal.ts";

/** Where a canal's path comes from, how much of it cannot be seen, and the search for it. */
export function CanalTraceNote({ arch: { canalTracing }, canal }: { arch: Arch; canal: Canal }) {
  const t = useTexts("viewer");
  const { annotation, points, tube } = canal;
  const { running, failure } = canalTracing;
  const hidden = cutAtHidden(tube.line, points, readHidden(annotation))
    .filter(({ isSeen }) => !isSeen)
    .reduce((sum, { line }) => sum + line.length, 0);
  if (running?.id === annotation.id || failure?.id === annotation.id) return <CanalSearch tracing={canalTracing} />;
  return (
    <>
      {hidden > 0 && (
        <Group gap={6} wrap="nowrap" align="start">
          <IconAlertTriangle size={16} stroke={1.6} color="var(--mantine-color-orange-4)" aria-hidden />
          <Text size="xs">{t("viewer.arch.canal.hidden", { length: formatNumber(hidden, 1) })}</Text>
        </Group>
      )}
      {!isTraced(annotation) && (
        <Group>
          <Button size="compact-xs" variant="light" onClick={() => canalTracing.trace(annotation)}>
            {t("viewer.arch.canal.find")}
          </Button>
        </Group>
      )}
    </>
  );
}

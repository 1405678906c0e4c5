import { Button, Group, Select, Slider, Text } from "@mantine/core";
import { findNearestAbutment } from "@arcada/imaging/implant/implant-parts";
import { formatNumber } from "../../../../../i18n/format.ts";
import { useTexts } from "../../../../../i18n/texts.ts";
import type { Implant } from "../implant-plan.ts";
import type { PlanParts } from "../plan-props.ts";
import { putAttachments } from "./implant-attachments.ts";

const none = "none";

/** The abutment of an implant: one of the system's angles, and the direction in which it leans. */
export function AbutmentFields({
  arch,
  implant: { annotation, body, attachments },
  angles,
}: Pick<PlanParts, "arch"> & { implant: Implant; angles: readonly number[] }) {
  const t = useTexts("implant");
  const { abutment, crown } = attachments;
  const put = (next: typeof abutment, isOver = true) =>
    arch.alter(putAttachments(annotation, { abutment: next }), isOver);
  const turn = t("implant.abutment.turn", { degrees: formatNumber(abutment?.turn ?? 0, 0) });
  return (
    <>
      <Select
        size="xs"
        label={t("implant.abutment.title")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        value={abutment ? String(abutment.angle) : none}
        data={[
          { value: none, label: t("implant.abutment.none") },
          ...[...new Set([...angles, ...(abutment ? [abutment.angle] : [])])].map((angle) => ({
            value: String(angle),
            label: t("implant.degrees", { value: formatNumber(angle, 1) }),
          })),
        ]}
        onChange={(value) =>
          put(value === none || value === null ? null : { angle: Number(value), turn: abutment?.turn ?? 0 })
        }
      />
      {abutment && abutment.angle > 0 && (
        <div>
          <Text size="xs">{turn}</Text>
          <Slider
            size="sm"
            aria-label={turn}
            thumbLabel={turn}
            label={null}
            min={0}
            max={355}
            step={5}
            value={abutment.turn}
            onChange={(value) => put({ ...abutment, turn: value }, false)}
            onChangeEnd={(value) => put({ ...abutment, turn: value })}
          />
        </div>
      )}
      {crown && (
        <Group>
          <Button size="compact-xs" variant="light" onClick={() => put(findNearestAbutment(body, crown.axis, angles))}>
            {t("implant.abutment.fit")}
          </Button>
        </Group>
      )}
    </>
  );
}

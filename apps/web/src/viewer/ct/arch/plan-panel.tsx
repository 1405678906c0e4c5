import {
  ActionIcon,
  Autocomplete,
  Group,
  NumberInput,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { plus, times } from "@arcada/imaging/view/vector";
import { showNumber } from "../../../kernel/format.ts";
import { useTexts } from "../../../kernel/texts.ts";
import type { CtParts } from "../layout/pane-props.ts";
import {
  commonDiameters,
  commonLengths,
  isTooNear,
  resized,
  sizeOf,
  type Canal,
  type Implant,
  type ImplantSize,
} from "./plan.ts";
import { implantName } from "./plan-layer.tsx";
import styles from "./plan-panel.module.css";

type Parts = Pick<CtParts, "arch" | "controls" | "drawing" | "marks">;

/** Canals and implants with their values; the size of the next implant, and what is warned of. */
export function PlanPanel(parts: Parts) {
  const t = useTexts("viewer");
  const { arch } = parts;
  return (
    <Stack gap="xs">
      <Text size="xs" fw={600}>
        {t("viewer.arch.implant.next")}
      </Text>
      <SizeFields size={arch.size} onSize={arch.setSize} />
      {arch.implants.map((implant, at) => (
        <ImplantRow key={implant.mark.id} {...parts} implant={implant} number={at + 1} />
      ))}
      {arch.canals.map((canal) => (
        <CanalRow key={canal.mark.id} {...parts} canal={canal} />
      ))}
      <GapFields {...parts} />
    </Stack>
  );
}

function SizeFields({ size, onSize }: { size: ImplantSize; onSize: (size: ImplantSize) => void }) {
  const t = useTexts("viewer");
  const mm = (name: "diameter" | "length", common: readonly number[], most: number) => (
    <Autocomplete
      size="xs"
      label={t(`viewer.arch.implant.${name}`)}
      inputMode="decimal"
      comboboxProps={{ withinPortal: false }}
      data={common.map((value) => showNumber(value, 2))}
      filter={({ options }) => options}
      defaultValue={showNumber(size[name], 2)}
      key={size[name]}
      onBlur={(event) => {
        const typed = Number(event.currentTarget.value.replace(",", "."));
        if (typed >= 1 && typed <= most && typed !== size[name]) onSize({ ...size, [name]: typed });
      }}
      onOptionSubmit={(value) => onSize({ ...size, [name]: Number(value.replace(",", ".")) })}
    />
  );
  return (
    <>
      <Group gap="xs" grow wrap="nowrap">
        {mm("diameter", commonDiameters, 10)}
        {mm("length", commonLengths, 30)}
      </Group>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("viewer.arch.implant.form")}
        value={size.isCone ? "cone" : "cylinder"}
        onChange={(form) => onSize({ ...size, isCone: form === "cone" })}
        data={(["cylinder", "cone"] as const).map((value) => ({ value, label: t(`viewer.arch.implant.${value}`) }))}
      />
    </>
  );
}

function ImplantRow({ arch, controls, drawing, marks, implant, number }: Parts & { implant: Implant; number: number }) {
  const t = useTexts("viewer");
  const { mark, body, toCanal, toImplant } = implant;
  const isChosen = drawing.chosen === mark.id;
  const name = implantName(t, implant, number);
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <RowHead
        name={name}
        onChoose={() => {
          controls.setCross(times(plus(body.head, body.apex), 0.5));
          drawing.choose(mark.id);
        }}
        onRemove={() => marks.remove(mark.id)}
      />
      {toCanal !== null && (
        <span className={toCanal < arch.gaps.canal ? styles.near : ""}>
          {t("viewer.arch.implant.toCanal", { mm: showNumber(toCanal, 1) })}
        </span>
      )}
      {toImplant && (
        <span className={toImplant.mm < arch.gaps.implants ? styles.near : ""}>
          {t("viewer.arch.implant.toImplant", { mm: showNumber(toImplant.mm, 1), number: toImplant.number })} ·{" "}
          {t("viewer.arch.implant.angle", { degrees: showNumber(toImplant.degrees, 1) })}
        </span>
      )}
      {isTooNear(implant, arch.gaps) && (
        <strong role="alert" className={styles.near}>
          {t("viewer.arch.implant.tooNear")}
        </strong>
      )}
      {isChosen && <SizeFields size={sizeOf(implant)} onSize={(size) => arch.alter(resized(mark, size), true)} />}
    </div>
  );
}

function CanalRow({ arch, controls, drawing, marks, canal }: Parts & { canal: Canal }) {
  const t = useTexts("viewer");
  const { mark, points, side, tube } = canal;
  const isChosen = drawing.chosen === mark.id;
  const keep = (settings: NonNullable<typeof mark.settings>) =>
    arch.alter({ ...mark, settings: { ...mark.settings, ...settings } }, true);
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <RowHead
        name={t(`viewer.arch.canal.${side}`)}
        onChoose={() => {
          controls.setCross(points[Math.floor(points.length / 2)] ?? controls.cross);
          drawing.choose(mark.id);
        }}
        onRemove={() => marks.remove(mark.id)}
      />
      <span>
        {t("viewer.arch.canal.size", {
          diameter: showNumber(tube.radius * 2, 1),
          length: showNumber(tube.line.length, 1),
        })}
      </span>
      {isChosen && (
        <Group gap="xs" grow wrap="nowrap" align="end">
          <NumberInput
            size="xs"
            label={t("viewer.arch.implant.diameter")}
            min={0.5}
            max={8}
            step={0.1}
            value={tube.radius * 2}
            onChange={(typed) => typeof typed === "number" && typed >= 0.5 && keep({ diameter: typed })}
          />
          <SegmentedControl
            size="xs"
            aria-label={t("viewer.arch.canal.sideOf")}
            value={side}
            onChange={(value) => keep({ side: value })}
            data={(["right", "left"] as const).map((value) => ({ value, label: t(`viewer.view.${value}`) }))}
          />
        </Group>
      )}
    </div>
  );
}

function RowHead({ name, onChoose, onRemove }: { name: string; onChoose: () => void; onRemove: () => void }) {
  const t = useTexts("viewer");
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <UnstyledButton className={styles.name} onClick={onChoose}>
        {name}
      </UnstyledButton>
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        aria-label={t("viewer.arch.remove", { name })}
        onClick={onRemove}
      >
        <IconTrash size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function GapFields({ arch: { gaps, setGaps } }: Parts) {
  const t = useTexts("viewer");
  return (
    <Group gap="xs" grow wrap="nowrap" align="end">
      {(["canal", "implants"] as const).map((name) => (
        <NumberInput
          key={name}
          size="xs"
          label={t(`viewer.arch.gap.${name}`)}
          min={0.5}
          max={10}
          step={0.5}
          value={gaps[name]}
          onChange={(typed) => typeof typed === "number" && typed >= 0.5 && setGaps({ ...gaps, [name]: typed })}
        />
      ))}
    </Group>
  );
}

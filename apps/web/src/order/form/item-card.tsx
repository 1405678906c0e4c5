import { ActionIcon, Chip, Group, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import {
  dieShades,
  guideNames,
  hasShade,
  materialsFor,
  shadeGuides,
  needsStumpShade,
} from "@arcada/contract/order/prescription.choices";
import type { ShadeGuide } from "@arcada/contract/order/prescription.choices";
import type { CaseType } from "@arcada/contract/order/order.rules";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import { toothColours } from "../../ui/tooth-chart/tooth-chart.tsx";
import { getItemKinds } from "./order-draft.ts";
import { changeKind, type Item } from "./prescription-items.ts";
import classes from "./order-form.module.css";

interface ItemCardProps {
  item: Item;
  index: number;
  caseType: CaseType;
  /** The shade guide that is preselected. */
  guide: ShadeGuide | null;
  isActive: boolean;
  /** True after an attempt to send: fields with missing values report it. */
  isTried: boolean;
  onActivate: () => void;
  onChange: (change: Partial<Item>) => void;
  onRemove: () => void;
}

/** The restoration for some teeth. Touching the card makes it the item that the chart edits. */
export function ItemCard({
  item,
  index,
  caseType,
  guide,
  isActive,
  isTried,
  onActivate,
  onChange,
  onRemove,
}: ItemCardProps) {
  const t = useTexts("order");
  const teeth = useToothNames();
  const what = `${t(`order.kind.${item.kind}`)} ${teeth.text(item.teeth)}`.trim();
  return (
    <section
      className={classes.item}
      data-active={isActive || undefined}
      data-tooth-colour={index % toothColours}
      aria-label={what}
      onFocus={onActivate}
      onPointerDown={onActivate}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fw={600} size="sm" className="arcada-figures">
          {teeth.text(item.teeth) || (
            <Text span size="sm" c="dimmed">
              {t("order.item.noTeeth")}
            </Text>
          )}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t("order.item.remove", { what })} onClick={onRemove}>
          <IconTrash size={17} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
      <ItemChoices item={item} caseType={caseType} guide={guide} isTried={isTried} onChange={onChange} />
      {item.kind === "bridge" && item.teeth.length > 0 && <PonticSelect item={item} onChange={onChange} />}
      <TextInput
        size="sm"
        aria-label={t("order.item.remark")}
        placeholder={t("order.item.remark")}
        maxLength={500}
        value={item.remark ?? ""}
        onChange={(event) => onChange({ remark: event.currentTarget.value || null })}
      />
    </section>
  );
}

function ItemChoices({
  item,
  caseType,
  guide,
  isTried,
  onChange,
}: Pick<ItemCardProps, "item" | "caseType" | "guide" | "isTried" | "onChange">) {
  const t = useTexts("order");
  const guides = guideNames
    .toSorted((a, b) => Number(b === guide) - Number(a === guide))
    .map((one) => ({ group: t(`order.guide.${one}`), items: [...shadeGuides[one]] }));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs" verticalSpacing="xs">
      <Select
        size="sm"
        label={t("order.item.kind")}
        data={getItemKinds(caseType).map((value) => ({ value, label: t(`order.kind.${value}`) }))}
        value={item.kind}
        allowDeselect={false}
        onChange={(kind) => kind && onChange(changeKind(item, kind))}
      />
      <Select
        size="sm"
        label={t("order.item.material")}
        placeholder={t("common.select")}
        data={materialsFor(item.kind).map((value) => ({ value, label: t(`order.material.${value}`) }))}
        value={item.material}
        // Choosing the same option again must not clear it.
        allowDeselect={false}
        onChange={(material) => onChange({ material })}
        error={isTried && !item.material}
      />
      {hasShade(item.kind) && (
        <ShadeSelect field="shade" data={guides} value={item.shade} onChange={(shade) => onChange({ shade })} />
      )}
      {(needsStumpShade(item) || item.stumpShade) && (
        <ShadeSelect
          field="stumpShade"
          data={[{ group: t("order.guide.naturalDie"), items: [...dieShades] }, ...guides]}
          value={item.stumpShade}
          onChange={(stumpShade) => onChange({ stumpShade })}
        />
      )}
    </SimpleGrid>
  );
}

interface ShadeSelectProps<S extends string> {
  field: "shade" | "stumpShade";
  data: { group: string; items: S[] }[];
  value: S | null;
  onChange: (shade: S | null) => void;
}
function ShadeSelect<S extends string>({ field, data, value, onChange }: ShadeSelectProps<S>) {
  const t = useTexts("order");
  return (
    <Select
      size="sm"
      label={t(`order.item.${field}`)}
      placeholder={t("order.item.shadeNone")}
      data={data}
      searchable
      clearable
      allowDeselect={false}
      value={value}
      onChange={onChange}
    />
  );
}

function PonticSelect({ item, onChange }: Pick<ItemCardProps, "item" | "onChange">) {
  const t = useTexts("order");
  const teeth = useToothNames();
  return (
    <div role="group" aria-label={t("order.item.ponticsHint")}>
      <Text size="xs" c="dimmed" mb={4}>
        {t("order.item.pontics")}: {t("order.item.ponticsHint")}
      </Text>
      <Group gap={6}>
        {item.teeth.map((tooth) => (
          <Chip
            key={tooth}
            size="xs"
            checked={item.pontics.includes(tooth)}
            onChange={(checked) =>
              onChange({
                pontics: item.teeth.filter((one) => (one === tooth ? checked : item.pontics.includes(one))),
              })
            }
          >
            {teeth.name(tooth)}
          </Chip>
        ))}
      </Group>
    </div>
  );
}

import { Chip, Group, Stack, Text } from "@mantine/core";
import { faultKinds } from "@arcada/contract/order/order-steps.rules";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { useToothNames } from "../../i18n/tooth-notation.ts";
import { itemText } from "../core/item-text.ts";
import type { ActionInput } from "./action-input.ts";

interface FaultFieldsProps {
  order: Order;
  values: ActionInput;
  onChange: (change: Partial<ActionInput>) => void;
}

/** The faults of each item of a design. None is required. */
export function FaultFields({ order, values: { faults }, onChange }: FaultFieldsProps) {
  const t = useTexts("order", "forward");
  const teeth = useToothNames();
  const { items } = order.prescription;
  if (items.length === 0) return null;
  const choose = (at: number, chosen: string[]) => {
    const kinds = faultKinds.filter((kind) => chosen.includes(kind));
    const { [at]: _, ...others } = faults;
    onChange({ faults: kinds.length > 0 ? { ...others, [at]: kinds } : others });
  };
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500}>
        {t("forward.faults")}
      </Text>
      {items.map((item, at) => {
        const what = `${teeth.text(item.teeth)} ${itemText(t, item)}`;
        return (
          <div key={at} role="group" aria-label={what}>
            <Text size="sm" c="dimmed" mb={4}>
              {what}
            </Text>
            <Chip.Group multiple value={[...(faults[at] ?? [])]} onChange={(chosen) => choose(at, chosen)}>
              <Group gap={6}>
                {faultKinds.map((kind) => (
                  <Chip key={kind} value={kind} size="xs" variant="outline">
                    {t(`forward.fault.${kind}`)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </div>
        );
      })}
    </Stack>
  );
}

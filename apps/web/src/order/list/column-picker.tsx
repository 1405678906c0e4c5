import { ActionIcon, Button, Checkbox, Group, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { orderColumns } from "@arcada/contract/order/order-list.filter";
import type { OrderColumn } from "@arcada/contract/order/order-list.filter";
import { useTexts } from "../../i18n/texts.ts";
import classes from "./order-views.module.css";

interface ColumnPickerProps {
  columns: readonly OrderColumn[];
  onChange: (columns: OrderColumn[] | null) => void;
}

/** Selects the columns of the table and their order. The number column always stays, because it opens the order. */
export function ColumnPicker({ columns, onChange }: ColumnPickerProps) {
  const t = useTexts("order");
  const rest = orderColumns.filter((column) => !columns.includes(column));
  const move = (from: number, by: number) => {
    const next = columns.filter((_, index) => index !== from);
    next.splice(from + by, 0, columns[from]!);
    onChange(next);
  };
  return (
    <div className={classes.columns} role="group" aria-label={t("order.list.columns")}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t("order.list.columns")}
        </Text>
        <Button variant="subtle" size="compact-xs" onClick={() => onChange(null)}>
          {t("common.reset")}
        </Button>
      </Group>
      {[...columns, ...rest].map((column, index) => {
        const isShown = index < columns.length;
        const title = t(`order.column.${column}`);
        return (
          <div key={column} className={classes.column}>
            <Checkbox
              size="sm"
              label={title}
              checked={isShown}
              disabled={column === "number"}
              onChange={() => onChange(isShown ? columns.filter((one) => one !== column) : [...columns, column])}
            />
            {isShown && (
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  disabled={index === 0}
                  aria-label={t("order.list.columnUp", { column: title })}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  disabled={index === columns.length - 1}
                  aria-label={t("order.list.columnDown", { column: title })}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={14} aria-hidden />
                </ActionIcon>
              </Group>
            )}
          </div>
        );
      })}
    </div>
  );
}

import {
  ActionIcon,
  Button,
  Checkbox,
  Divider,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconStarFilled, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import type { SavedOrderView } from "@arcada/contract/order/order-list.calls";
import { useSearchParams } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { ColumnPicker } from "./column-picker.tsx";
import type { OrderListViews } from "./use-saved-views.ts";
import { toViewSettings } from "./use-filtered-orders.ts";
import classes from "./order-views.module.css";

/** The user's own views of the list, with their columns: select, save and delete. */
export function OrderViews({ views, onApplied }: { views: OrderListViews; onApplied: () => void }) {
  const t = useTexts("order");
  const [isOpen, open] = useDisclosure(false);
  return (
    <Popover opened={isOpen} onChange={open.set} position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.7} aria-hidden />}
          onClick={open.toggle}
        >
          {t("order.list.view")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel!} aria-label={t("order.list.view")}>
        <Stack gap="sm">
          <SavedViews
            views={views}
            onChosen={() => {
              onApplied();
              open.close();
            }}
          />
          <SaveView views={views} />
          <Divider visibleFrom="md" />
          <ColumnPicker columns={views.columns} onChange={views.setColumns} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function SavedViews({ views, onChosen }: { views: OrderListViews; onChosen: () => void }) {
  const t = useTexts("order");
  if (views.views.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("order.list.noViews")}
      </Text>
    );
  return (
    <ul className={classes.list} aria-label={t("order.list.views")}>
      {views.views.map((view) => (
        <SavedView
          key={view.id}
          view={view}
          onChoose={() => {
            views.apply(view);
            onChosen();
          }}
        />
      ))}
    </ul>
  );
}

function SavedView({ view, onChoose }: { view: SavedOrderView; onChoose: () => void }) {
  const t = useTexts("order");
  const remove = useCommand(listCalls.dropLook);
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.name} onClick={onChoose}>
        {view.name}
        {view.standard && (
          <IconStarFilled size={14} className={classes.star} role="img" aria-label={t("order.list.standard")} />
        )}
      </UnstyledButton>
      <Tooltip label={t("order.list.dropView", { name: view.name })}>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={remove.busy}
          aria-label={t("order.list.dropView", { name: view.name })}
          onClick={() => void remove.run({ id: view.id })}
        >
          <IconTrash size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** Saves the current filters and columns as a named view. */
function SaveView({ views }: { views: OrderListViews }) {
  const t = useTexts("order", "refusals");
  const address = useSearchParams();
  const [name, setName] = useState("");
  const [isStandard, setStandard] = useState(false);
  const save = useCommand(listCalls.saveLook);
  const submit = async () => {
    const columns = [...views.columns];
    const done = await save.run({ name: name.trim(), filter: toViewSettings(address), columns, standard: isStandard });
    if (!done) return;
    setName("");
    setStandard(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void submit();
      }}
    >
      <Stack gap={8}>
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            label={t("order.list.saveView")}
            placeholder={t("order.list.viewName")}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={save.busy} disabled={name.trim() === ""}>
            {t("common.save")}
          </Button>
        </Group>
        <Checkbox
          size="sm"
          label={t("order.list.opensWith")}
          checked={isStandard}
          onChange={(event) => setStandard(event.currentTarget.checked)}
        />
      </Stack>
    </form>
  );
}

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
import { listCalls } from "@arcada/contract/order/list.calls";
import type { OrderLook } from "@arcada/contract/order/list.calls";
import { useSearch } from "../../kernel/link.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { ColumnChoice } from "./column-choice.tsx";
import type { Looks } from "./use-looks.ts";
import { settingsOf } from "./use-orders.ts";
import classes from "./order-views.module.css";

/** The user's own views of the list, with their columns: select, save and delete. */
export function OrderViews({ looks }: { looks: Looks }) {
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
          <SavedViews looks={looks} onChosen={open.close} />
          <SaveView looks={looks} />
          <Divider visibleFrom="md" />
          <ColumnChoice columns={looks.columns} onChange={looks.setColumns} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function SavedViews({ looks, onChosen }: { looks: Looks; onChosen: () => void }) {
  const t = useTexts("order");
  if (looks.looks.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("order.list.noViews")}
      </Text>
    );
  return (
    <ul className={classes.list} aria-label={t("order.list.views")}>
      {looks.looks.map((look) => (
        <SavedView
          key={look.id}
          look={look}
          onChoose={() => {
            looks.apply(look);
            onChosen();
          }}
        />
      ))}
    </ul>
  );
}

function SavedView({ look, onChoose }: { look: OrderLook; onChoose: () => void }) {
  const t = useTexts("order");
  const drop = useCommand(listCalls.dropLook);
  return (
    <li className={classes.item}>
      <UnstyledButton className={classes.name} onClick={onChoose}>
        {look.name}
        {look.standard && (
          <IconStarFilled size={14} className={classes.star} role="img" aria-label={t("order.list.standard")} />
        )}
      </UnstyledButton>
      <Tooltip label={t("order.list.dropView", { name: look.name })}>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={drop.busy}
          aria-label={t("order.list.dropView", { name: look.name })}
          onClick={() => void drop.run({ id: look.id })}
        >
          <IconTrash size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** Saves the current filters and columns as a named view. */
function SaveView({ looks }: { looks: Looks }) {
  const t = useTexts("order", "refusals");
  const address = useSearch();
  const [name, setName] = useState("");
  const [isStandard, setStandard] = useState(false);
  const save = useCommand(listCalls.saveLook);
  const saveNow = async () => {
    const columns = [...looks.columns];
    const done = await save.run({ name: name.trim(), filter: settingsOf(address), columns, standard: isStandard });
    if (!done) return;
    setName("");
    setStandard(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void saveNow();
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

import { ActionIcon, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { PersonLoad, TodayRow } from "@arcada/contract/order/order-today.calls";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { useTexts } from "../../i18n/texts.ts";
import { getInitials } from "../../ui/avatar.tsx";
import classes from "./todays-orders.module.css";

/** People beyond this number are in a menu. */
const maxButtons = 4;

interface AssignButtonsProps {
  order: TodayRow;
  people: readonly PersonLoad[];
}

/**
 * One button for each person who could do the work, so that an order is assigned by one click. In a large laboratory
 * these are the people with the least work; the others are in a menu.
 */
export function AssignButtons({ order, people }: AssignButtonsProps) {
  const t = useTexts("today");
  const step = useCommand(orderCalls.step);
  if (!order.mayAssign)
    return order.mine === "receiver" && order.assigneeName ? (
      <Text size="xs" c="dimmed">
        {order.assigneeName}
      </Text>
    ) : null;
  const { shown, others } = splitPeople(people, order.assigneeId);
  const assign = async (person: PersonLoad) => {
    if (person.id === order.assigneeId) return;
    const { id, version, number } = order;
    const done = await step.run({ id, version, action: "assign", assigneeId: person.id });
    if (done) toast("success", t("today.assign.done", { number, name: person.name }));
  };
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={t("today.assign.label", { number: order.number })}>
      {shown.map((person) => (
        <PersonButton
          key={person.id}
          person={person}
          isAssignee={person.id === order.assigneeId}
          busy={step.busy}
          onPress={() => void assign(person)}
        />
      ))}
      {others.length > 0 && <OtherPeople people={others} onChoose={(person) => void assign(person)} />}
    </Group>
  );
}

interface PersonButtonProps {
  person: PersonLoad;
  isAssignee: boolean;
  busy: boolean;
  onPress: () => void;
}
function PersonButton({ person, isAssignee, busy, onPress }: PersonButtonProps) {
  const t = useTexts("today");
  const label = isAssignee
    ? t("today.assign.now", { name: person.name })
    : t("today.assign.to", { name: person.name, count: person.open });
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={28}
        radius="xl"
        variant={isAssignee ? "filled" : "default"}
        className={classes.person!}
        aria-label={label}
        aria-pressed={isAssignee}
        disabled={busy}
        onClick={onPress}
      >
        {getInitials(person.name)}
      </ActionIcon>
    </Tooltip>
  );
}

function OtherPeople({ people, onChoose }: { people: readonly PersonLoad[]; onChoose: (person: PersonLoad) => void }) {
  const t = useTexts("today");
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size={28} radius="xl" variant="subtle" color="gray" aria-label={t("today.assign.more")}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {people.map((person) => (
          <Menu.Item key={person.id} onClick={() => onChoose(person)}>
            {t("today.assign.to", { name: person.name, count: person.open })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The people keep their order by name, so that a button stays where it is while the work of its person grows. */
function splitPeople(people: readonly PersonLoad[], assigneeId: string | null) {
  const ranked = people.toSorted(
    (one, other) => Number(other.id === assigneeId) - Number(one.id === assigneeId) || one.open - other.open,
  );
  const chosen = new Set(ranked.slice(0, maxButtons).map(({ id }) => id));
  return { shown: people.filter(({ id }) => chosen.has(id)), others: people.filter(({ id }) => !chosen.has(id)) };
}

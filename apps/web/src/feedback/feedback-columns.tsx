import { Anchor, Badge, Group, Text } from "@mantine/core";
import type { FeedbackLine } from "@arcada/contract/feedback/feedback.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import type { Translate } from "../i18n/texts.ts";
import type { Column } from "../ui/data-table.tsx";
import { stateColours } from "./state-colours.ts";

export const buildColumns = (t: Translate): Column<FeedbackLine>[] => [
  descriptionColumn(t),
  ...subjectColumns(t),
  createdColumn(t),
];

const descriptionColumn = (t: Translate): Column<FeedbackLine> => ({
  key: "what",
  title: t("feedback.description"),
  narrow: "head",
  opens: "link",
  show: ({ id, number, says }) => (
    <div>
      <Anchor component={ScreenLink} screen="feedbackDetail" search={{ id }} size="sm" fw={600}>
        {t("feedback.numbered", { number })}
      </Anchor>
      <Text size="sm" lineClamp={2} dir="auto">
        {says}
      </Text>
    </div>
  ),
});

const subjectColumns = (t: Translate): Column<FeedbackLine>[] => [
  {
    key: "state",
    title: t("feedback.state"),
    show: ({ state, fixedIn }) => (
      <Group gap={6}>
        <Badge variant="light" color={stateColours[state]}>
          {t(`feedback.states.${state}`)}
        </Badge>
        {fixedIn && (
          <Text size="xs" c="dimmed" className="arcada-figures">
            {fixedIn}
          </Text>
        )}
      </Group>
    ),
  },
  { key: "page", title: t("feedback.page"), show: ({ page }) => t(`feedback.pages.${page}`) },
  {
    key: "software",
    title: t("feedback.software"),
    show: ({ product, model, softwareVersion }) => (
      <div>
        <Text size="sm">{[product, model].filter(Boolean).join(" · ")}</Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {softwareVersion}
        </Text>
      </div>
    ),
  },
  { key: "clinic", title: t("feedback.clinic"), show: ({ clinic }) => clinic ?? "–" },
];

const createdColumn = (t: Translate): Column<FeedbackLine> => ({
  key: "when",
  title: t("feedback.when"),
  show: ({ createdAt, author }) => (
    <div>
      <Text size="sm" className="arcada-figures">
        {formatTimestamp(createdAt)}
      </Text>
      <Text size="xs" c="dimmed">
        {author}
      </Text>
    </div>
  ),
});

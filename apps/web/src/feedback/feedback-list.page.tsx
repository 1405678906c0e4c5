import { Button, Stack, Switch } from "@mantine/core";
import { IconMessagePlus } from "@tabler/icons-react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { feedbackStates } from "@arcada/contract/feedback/feedback.cycle";
import { feedbackPages } from "@arcada/contract/feedback/feedback.rules";
import { useGo, useSearch, useSetSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { ListEnd } from "../ui/list-end.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmptyState } from "../ui/states.tsx";
import { columnsOf } from "./feedback-columns.tsx";
import { FeedbackFilter } from "./feedback-filter.tsx";
import { NewFeedback } from "./new-feedback.tsx";
import classes from "./feedback.module.css";
import { useFeedbacks } from "./use-feedbacks.ts";
import type { Narrowing } from "./use-feedbacks.ts";

/** Feedback from the field on the software of devices. `?new=1&device=` starts a new one for a device. */
export function Page() {
  const t = useTexts("feedback");
  const search = useSearch();
  const setSearch = useSetSearch();
  return (
    <PageBody
      title={t("feedback.title")}
      says={t("feedback.says")}
      actions={
        <Button leftSection={<IconMessagePlus size={18} aria-hidden />} onClick={() => setSearch({ new: "1" })}>
          {t("feedback.new")}
        </Button>
      }
    >
      <Section flush>
        <Filters />
        <Found narrowing={narrowingOf(search)} />
      </Section>
      {search["new"] && (
        <NewFeedback device={search["device"]} onClose={() => setSearch({ new: undefined, device: undefined })} />
      )}
    </PageBody>
  );
}

const one = <T extends string>(all: readonly T[], text: string | undefined) => all.find((value) => value === text);
const narrowingOf = (search: Record<string, string | undefined>): Narrowing => ({
  search: search["search"],
  page: one(feedbackPages, search["page"]),
  state: one(feedbackStates, search["state"]),
  product: search["product"],
  model: search["model"],
  softwareVersion: search["version"],
  mine: search["mine"] ? "true" : undefined,
});

function Filters() {
  const t = useTexts("feedback");
  const { search = "", mine } = useSearch();
  const setSearch = useSetSearch();
  const { data } = useCall(feedbackCalls.choices, {});
  const plain = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));
  return (
    <Stack gap="sm" p="md">
      <SearchBox value={search} onSearch={(text) => setSearch({ search: text })} label={t("feedback.search")} />
      <div className={classes.filters}>
        <FeedbackFilter
          name="state"
          label={t("feedback.state")}
          choices={feedbackStates.map((value) => ({ value, label: t(`feedback.states.${value}`) }))}
        />
        <FeedbackFilter
          name="page"
          label={t("feedback.page")}
          choices={feedbackPages.map((value) => ({ value, label: t(`feedback.pages.${value}`) }))}
        />
        <FeedbackFilter name="product" label={t("feedback.product")} choices={plain(data?.products)} />
        <FeedbackFilter name="model" label={t("feedback.model")} choices={plain(data?.models)} />
        <FeedbackFilter name="version" label={t("feedback.version")} choices={plain(data?.versions)} />
      </div>
      <Switch
        label={t("feedback.mine")}
        checked={mine !== undefined}
        onChange={(event) => setSearch({ mine: event.currentTarget.checked ? "1" : undefined })}
      />
    </Stack>
  );
}

function Found({ narrowing }: { narrowing: Narrowing }) {
  const t = useTexts("feedback");
  const go = useGo();
  const found = useFeedbacks(narrowing);
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
  return (
    <Answer
      of={found}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <EmptyState
          title={t(isNarrowed ? "feedback.noSuch" : "feedback.empty")}
          text={t(isNarrowed ? "feedback.noSuchText" : "feedback.emptyText")}
        />
      }
    >
      {({ list, total }) => (
        <>
          <DataTable
            label={t("feedback.title")}
            columns={columnsOf(t)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go("feedbackDetail", { id })}
          />
          <ListEnd of={found} says={t("common.total", { count: total })} label={t("common.more")} />
        </>
      )}
    </Answer>
  );
}

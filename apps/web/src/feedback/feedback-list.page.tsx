import { Button, Stack, Switch, Select } from "@mantine/core";
import { IconMessagePlus } from "@tabler/icons-react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import { feedbackStates } from "@arcada/contract/feedback/feedback.lifecycle";
import { feedbackPages } from "@arcada/contract/feedback/feedback.rules";
import type { Input } from "@arcada/contract/kernel/call";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { buildColumns } from "./feedback-columns.tsx";
import { NewFeedback } from "./new-feedback.tsx";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";
import classes from "./feedback.module.css";

/** Feedback from the field on the software of devices. `?new=1&device=` starts a new one for a device. */
export function Page() {
  const t = useTexts("feedback");
  const search = useSearchParams();
  const setSearch = useSetSearchParams();
  return (
    <PageBody
      title={t("feedback.title")}
      description={t("feedback.says")}
      actions={
        <Button leftSection={<IconMessagePlus size={18} aria-hidden />} onClick={() => setSearch({ new: "1" })}>
          {t("feedback.new")}
        </Button>
      }
    >
      <Section flush>
        <FeedbackFilters />
        <FeedbackResults filter={parseFilter(search)} />
      </Section>
      {search["new"] && (
        <NewFeedback device={search["device"]} onClose={() => setSearch({ new: undefined, device: undefined })} />
      )}
    </PageBody>
  );
}

const findValue = <T extends string>(all: readonly T[], text: string | undefined) =>
  all.find((value) => value === text);
const parseFilter = (search: Record<string, string | undefined>): FeedbackListFilter => ({
  search: search["search"],
  page: findValue(feedbackPages, search["page"]),
  state: findValue(feedbackStates, search["state"]),
  product: search["product"],
  model: search["model"],
  softwareVersion: search["version"],
  mine: search["mine"] ? "true" : undefined,
});

type FeedbackListFilter = Omit<Input<typeof feedbackCalls.list>, "cursor" | "pageSize">;

/** The feedbacks that match the filters, page after page. */
const useFeedbacks = (filter: FeedbackListFilter) =>
  usePagedList(queryKeyOf(feedbackCalls.list, filter), (pageParam, signal) =>
    send(feedbackCalls.list, { ...filter, ...pageParam }, { signal }),
  );

function FeedbackFilters() {
  const t = useTexts("feedback");
  const { search = "", mine } = useSearchParams();
  const setSearch = useSetSearchParams();
  const { data } = useCall(feedbackCalls.choices, {});
  const toOptions = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));
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
        <FeedbackFilter name="product" label={t("feedback.product")} choices={toOptions(data?.products)} />
        <FeedbackFilter name="model" label={t("feedback.model")} choices={toOptions(data?.models)} />
        <FeedbackFilter name="version" label={t("feedback.version")} choices={toOptions(data?.versions)} />
      </div>
      <Switch
        label={t("feedback.mine")}
        checked={mine !== undefined}
        onChange={(event) => setSearch({ mine: event.currentTarget.checked ? "1" : undefined })}
      />
    </Stack>
  );
}

interface FeedbackFilterProps {
  /** The name of its search parameter. */
  name: string;
  label: string;
  choices: { value: string; label: string }[];
}

/** One of several filters of the list; its value is stored in the page's address. */
function FeedbackFilter({ name, label, choices }: FeedbackFilterProps) {
  const t = useTexts();
  const value = useSearchParams()[name];
  const setSearch = useSetSearchParams();
  const known = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      placeholder={t("common.all")}
      clearable
      searchable={choices.length > 8}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      data={known ? choices : [...choices, { value, label: value }]}
      value={value ?? null}
      onChange={(chosen) => setSearch({ [name]: chosen ?? undefined })}
    />
  );
}

function FeedbackResults({ filter }: { filter: FeedbackListFilter }) {
  const t = useTexts("feedback");
  const go = useOpenScreen();
  const found = useFeedbacks(filter);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <QueryResult
      of={found}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <EmptyState
          title={t(isFiltered ? "feedback.noSuch" : "feedback.empty")}
          text={t(isFiltered ? "feedback.noSuchText" : "feedback.emptyText")}
        />
      }
    >
      {({ list, total }) => (
        <>
          <DataTable
            label={t("feedback.title")}
            columns={buildColumns(t)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go("feedbackDetail", { id })}
          />
          <LoadMore query={found} summary={t("common.total", { count: total })} label={t("common.more")} />
        </>
      )}
    </QueryResult>
  );
}

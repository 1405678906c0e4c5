import { Group, Pagination } from "@mantine/core";

interface Props {
  pages: number;
  page: number;
  onPage: (page: number) => void;
}

/** The pager below a list that has more than one page. */
export const Pager = ({ pages, page, onPage }: Props) =>
  pages > 1 && (
    <Group justify="center">
      <Pagination total={pages} value={page} onChange={onPage} />
    </Group>
  );

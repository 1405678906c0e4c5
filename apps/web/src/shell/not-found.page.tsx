import { NotFoundState } from "../ui/states.tsx";

export const Page = () => <NotFoundState />;

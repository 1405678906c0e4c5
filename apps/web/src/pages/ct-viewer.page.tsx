import { renderShareButton } from "./share-of.tsx";
import { StudyPage } from "../viewer/study-page.tsx";

/** The 3D CT viewer: the study's volume first. */
export const Page = () => <StudyPage preferVolume actions={renderShareButton} />;

import { IrrigationDiary } from '../irr-diary/irrigation-diary.tsx';

/** What was watered, as on the page of the diary. */
export default function DiaryTab({ farmUID }: { farmUID: string }) {
  return <IrrigationDiary farmUID={farmUID} />;
}

import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { cardAnchor } from '../../ui/card-frame.tsx';
import { useSettings } from '../../preferences/settings.queries.ts';
import { headlinesOf, isShown, type Headline } from './headline-configs.ts';
import { useLead } from './headline-lead.tsx';
import { useHeadlineSearch } from './headline-search.ts';
import { HeadlineWidget } from './headline-widget.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './headlines.module.css';

const HeadlineEditor = lazyPart(() => import('./headline-editor.tsx').then((m) => m.default), {
  failed: "The editor of the headlines couldn't be loaded",
  waiting: <div className={classes.space} aria-busy="true" />,
});

export interface HeadlineRowProps {
  farm: FarmCard;
  /** Cards that are on the page, to lead to. */
  shown: readonly CardType[];
}

/** The numbers that a person wants to see first: up to four, chosen by them. */
export function HeadlineRow({ farm, shown }: HeadlineRowProps) {
  const { headlines: mode } = useHeadlineSearch();
  const headlines = headlinesOf(useSettings(), farm._id);
  const id = cardAnchor('Headline');
  const isEditing = mode === 'edit';
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={isEditing ? classes.title : classes.spoken}>
        Headline
      </h2>
      {isEditing ? (
        <HeadlineEditor key={farm._id} farm={farm} headlines={headlines} />
      ) : (
        <ul className={classes.row}>
          {headlines.map((headline) =>
            isShown(headline) ? (
              <li key={headline.position}>
                <LinkedWidget farm={farm} shown={shown} headline={headline} />
              </li>
            ) : null,
          )}
        </ul>
      )}
    </section>
  );
}

function LinkedWidget({ headline, farm, shown }: HeadlineRowProps & { headline: Headline }) {
  return <HeadlineWidget headline={headline} farm={farm} lead={useLead(headline, farm, shown)} />;
}

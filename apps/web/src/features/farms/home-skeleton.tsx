import cards from '../../ui/card-grid.module.css';
import card from '../../ui/card.module.css';
import classes from './home.module.css';

/** The home page's shape while its farms are on their way. */
export function HomeSkeleton() {
  return (
    <>
      <div className={classes.overview}>
        <div className={classes.line} style={{ width: 200 }} />
      </div>
      <div className={cards.grid}>
        {[0, 1, 2, 3].map((place) => (
          <div key={place} className={card.card} aria-hidden="true">
            <div className={card.head}>
              <div className={classes.line} style={{ width: 44, height: 44, borderRadius: 12 }} />
              <div className={card.names}>
                <div className={classes.line} style={{ width: '64%', height: 18 }} />
                <div className={classes.line} style={{ width: '42%' }} />
              </div>
            </div>
            <div className={classes.facts}>
              <div className={classes.line} style={{ width: '62%' }} />
              <div className={classes.line} style={{ width: '40%' }} />
            </div>
            <div className={classes.foot} />
            <div className={classes.ways}>
              <div className={classes.line} style={{ flex: 1, height: 44, borderRadius: 10 }} />
              <div className={classes.line} style={{ flex: 1, height: 44, borderRadius: 10 }} />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

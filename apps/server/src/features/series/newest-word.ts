/**
 * When the newest word of a valve was said that says open or closed, over its row `l` of latest: a word of a clock that is
 * ahead when it was received.
 */
export const newestWordAt = 'case when l.value is null then l.valid_at else coalesce(l.heard_at, l.at) end';
/** That word: 1 open, 0 closed. */
export const newestWord = 'coalesce(l.value, l.valid_value)';

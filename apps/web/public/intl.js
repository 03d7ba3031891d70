/*
 * Run beside the page, as a worker: has the browser load how numbers, names and times are written here. Whoever uses these
 * first waits for that, a slow phone 80 to 160 ms; all threads of a page share what was loaded, so the page doesn't wait.
 */
new Intl.NumberFormat('en-NZ').format(0);
new Intl.Collator('en-NZ').compare('a', 'b');
new Intl.DateTimeFormat('en-NZ', { timeZone: 'Pacific/Auckland', timeZoneName: 'longOffset' }).format(0);
close();

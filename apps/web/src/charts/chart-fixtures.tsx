import { render } from '@testing-library/react';
import { Kit } from '../ui/kit-provider.tsx';
import { Chart, type ChartProps } from './chart.tsx';

/** A chart of nothing on an empty page. */
export const renderChart = (over: Partial<ChartProps> = {}) =>
  render(
    <Kit>
      <Chart
        label="Level of Top tank"
        summary="No values."
        option={() => ({})}
        table={() => ({ head: ['Time'], rows: [] })}
        fileName="Top-tank"
        {...over}
      />
    </Kit>,
  );

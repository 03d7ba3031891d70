import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import L from 'leaflet';
import type { MapMarker } from './marker.ts';
import { BODY_UP_PX } from './marker-sprites.ts';
import { useEscape } from '../ui/use-escape.ts';
import { onMap } from './use-leaflet.ts';
import classes from './farm-map.module.css';

export interface MapPopupProps {
  map: L.Map;
  marker: MapMarker;
  onClose: () => void;
  children: ReactNode;
}

/** A popup at a marker. It opens beside what it is about, closes with Escape, and its content is ours. */
export function MapPopup({ map, marker, onClose, children }: MapPopupProps) {
  const box = useMemo(() => document.createElement('div'), []);
  const popup = useRef<L.Popup | null>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  // The map itself hears keys only while it has the focus.
  useEscape(true, onClose, 0);
  useEffect(() => {
    const offset = L.point(0, -BODY_UP_PX[marker.shape] - 14);
    const opened = L.popup({
      closeButton: false,
      closeOnClick: false,
      className: classes.popup ?? '',
      minWidth: 236,
      maxWidth: 300,
      offset,
      autoPanPadding: [16, 72],
      autoPan: true,
    });
    let isOurs = false;
    opened.setLatLng(onMap(map, marker)).setContent(box).openOn(map);
    opened.on('remove', () => !isOurs && close.current());
    // The page is left with the popup open: on the next one there is nothing to close.
    const leave = () => {
      isOurs = true;
    };
    map.on('unload', leave);
    popup.current = opened;
    const observer = new ResizeObserver(() => opened.update());
    observer.observe(box);
    return () => {
      leave();
      map.off('unload', leave);
      observer.disconnect();
      opened.remove();
    };
    // A change of the marker's facts leaves the popup open where it is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [map, box, marker.id, marker.lat, marker.lng]);
  return createPortal(children, box);
}

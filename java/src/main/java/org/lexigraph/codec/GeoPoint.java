package org.lexigraph.codec;

import java.util.Objects;

/** A point on the globe, in degrees. */
public final class GeoPoint {

  private final double latitude;
  private final double longitude;

  /** A point; whether it lies on the globe is checked where it is written. */
  public GeoPoint(double latitude, double longitude) {
    this.latitude = latitude;
    this.longitude = longitude;
  }

  /** Degrees north. */
  public double latitude() {
    return latitude;
  }

  /** Degrees east. */
  public double longitude() {
    return longitude;
  }

  /** Whether it lies on the globe. */
  boolean isValid() {
    return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GeoPoint
        && Double.compare(latitude, ((GeoPoint) other).latitude) == 0
        && Double.compare(longitude, ((GeoPoint) other).longitude) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(latitude, longitude);
  }

  @Override
  public String toString() {
    return "GeoPoint(" + latitude + ", " + longitude + ")";
  }
}

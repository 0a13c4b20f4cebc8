package org.lexigraph.stages;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.accumulo.core.iterators.IteratorEnvironment;

/** What a stage may know of the scan or merge that it runs in. Immutable; made by a {@link Builder}. */
public final class StageContext {

  private final Builder facts;

  private StageContext(Builder facts) {
    this.facts = facts;
  }

  /** A context to fill in: scope scan, no clock, micros, nothing named. */
  public static Builder builder() {
    return new Builder();
  }

  /** When the stage runs. */
  public Scope scope() {
    return facts.scope;
  }

  /** The clock in the table's unit; none where whoever asked gave none. */
  public OptionalLong now() {
    return facts.now;
  }

  /** The table's unit of time: <code>micros</code>, <code>millis</code> or <code>logical</code>. */
  public String unit() {
    return facts.unit;
  }

  /** Key plans by name. */
  public JsonObject plans() {
    return facts.plans;
  }

  /** Sets of keys by name: <code>keys</code> or <code>bits</code>, each byte string in base64. */
  public Map<String, JsonObject> sets() {
    return facts.sets;
  }

  /** The table's label for cells without one; empty where it has none. */
  public byte[] defaultVisibility() {
    return facts.defaultVisibility;
  }

  /** The reader's authorizations; null is <code>ALL</code>, the owner's view. */
  public List<byte[]> authorizations() {
    return facts.authorizations;
  }

  /** What a stage copies its source in; null outside of a server. */
  public IteratorEnvironment environment() {
    return facts.environment;
  }

  /** The same context in another environment. */
  public StageContext in(IteratorEnvironment environment) {
    return new StageContext(new Builder(facts).environment(environment));
  }

  /** Whether a stage that combines must leave cells alone unless all of them are seen. */
  public boolean fullOnly() {
    return facts.fullOnly;
  }

  /** Whether cells may be combined here: no unseen cell can lie between two seen ones, or nobody minds. */
  public boolean combines() {
    return !(facts.fullOnly && facts.scope.keepsDeletes());
  }

  /** Collects what a context holds. Values are not copied and must not change afterwards. */
  public static final class Builder {
    private Scope scope = Scope.SCAN;
    private OptionalLong now = OptionalLong.empty();
    private String unit = "micros";
    private JsonObject plans = new JsonObject();
    private Map<String, JsonObject> sets = Map.of();
    private byte[] defaultVisibility = new byte[0];
    private List<byte[]> authorizations;
    private boolean fullOnly;
    private IteratorEnvironment environment;

    private Builder() {}

    private Builder(Builder other) {
      scope = other.scope;
      now = other.now;
      unit = other.unit;
      plans = other.plans;
      sets = other.sets;
      defaultVisibility = other.defaultVisibility;
      authorizations = other.authorizations;
      fullOnly = other.fullOnly;
      environment = other.environment;
    }

    /** Sets when the stage runs. */
    public Builder scope(Scope value) {
      scope = value;
      return this;
    }

    /** Sets the clock. */
    public Builder now(long value) {
      now = OptionalLong.of(value);
      return this;
    }

    /** Sets the unit of time. */
    public Builder unit(String value) {
      unit = value;
      return this;
    }

    /** Sets the key plans. */
    public Builder plans(JsonObject value) {
      plans = value;
      return this;
    }

    /** Sets the sets of keys. */
    public Builder sets(Map<String, JsonObject> value) {
      sets = value;
      return this;
    }

    /** Sets the label for cells without one. */
    public Builder defaultVisibility(byte[] value) {
      defaultVisibility = value;
      return this;
    }

    /** Sets the authorizations; null is <code>ALL</code>. */
    public Builder authorizations(List<byte[]> value) {
      authorizations = value;
      return this;
    }

    /** Sets whether only full merges combine. */
    public Builder fullOnly(boolean value) {
      fullOnly = value;
      return this;
    }

    /** Sets what a stage copies its source in. */
    public Builder environment(IteratorEnvironment value) {
      environment = value;
      return this;
    }

    /** The context; the builder must not be used any more. */
    public StageContext build() {
      return new StageContext(this);
    }
  }
}

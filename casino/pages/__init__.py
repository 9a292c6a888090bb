"""The pages of the house: what people see and press. Adapters only; nothing here writes a model."""
